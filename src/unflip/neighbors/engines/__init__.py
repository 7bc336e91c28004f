"""The ways to search, all with the same answer to the last bit: (float64 squared distance, row number).

From the bottom: `pairs` defines the distance of two rows; `plain` is brute force in numpy, for small problems and rare
metrics; `screen` makes a float32 copy and computes how far off its distances can be; `leaves` cuts rows into boxes;
`tile` is the innermost loop; `candidates` keeps what could be among the k nearest and settles the order in float64;
`leaf` puts these together; `sparse` is for wide sparse rows.
"""
