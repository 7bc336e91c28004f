@pytest.mark.parametrize("engine", ["plain", "leaf"])
def test_the_neighbors_of_some_rows_are_theirs_in_the_graph_of_all(engine):
    X = np.random.RandomState(0).randint(0, 4, size=(300, 3)).astype(float)  # copies and ties
    index = ExactIndex(engine=engine).fit(X)
    rows = np.array([7, 250, 3, 120])
    some, whole = index.graph(9, rows), index.graph(9)
    np.testing.assert_array_equal(some.indices, whole.indices[rows])
    np.testing.assert_array_equal(some.distances, whole.distances[rows])
