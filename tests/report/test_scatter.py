"""The map: pixels, markers and texts worked by hand."""

import pytest

from unflip.report.scatter import MARKERS, OTHER, map_chart


def document(x, y, classes, flagged, n_given=(5, 3), **more):
    return {
        "map": {"x": x, "y": y, "rows": list(range(10, 10 + len(x))), "classes": classes, "flagged": flagged,
                "explained": [0.41, 0.055]},
        "classes": [f"c{c}" for c in range(len(n_given))], "n_given": list(n_given), "n_rows": 8,
    } | more  # fmt: skip


SUSPECT = {"row": 11, "given": 1, "suggested": 0, "p_wrong": 0.931}


@pytest.mark.parametrize("empty", [None, {"x": []}])
def test_without_places_there_is_no_map(empty):
    assert map_chart({"map": empty}, []) is None


def test_rows_are_scaled_to_the_margins_and_up_is_up():
    chart = map_chart(document([0.0, 1.0, 0.5], [0.0, 1.0, 0.5], [0, 0, 1], [False] * 3), [])
    # Across from 16 to 624, down from 414 to 16
    assert [group["path"] for group in chart["groups"]] == ["M16 414 624 16", "M320 215"]
    assert chart["explained"] == ["41%", "5.5%"]
    assert (chart["n_points"], chart["n_flagged"], chart["n_rows"]) == (3, 0, 8)


def test_flagged_rows_are_listed_suspects_or_unlisted_marks():
    chart = map_chart(document([0.0, 1.0, 0.5], [0.0, 1.0, 0.5], [0, 1, 1], [False, True, True]), [SUSPECT])
    assert [group["path"] for group in chart["groups"]] == ["M16 414", ""]
    assert chart["suspects"] == [
        {"row": 11, "x": 624, "y": 16, "style": 1, "text": "Row 11: labeled c1; suggested: c0; probability wrong 0.93"}
    ]
    assert chart["unlisted"] == [{"x": 320, "y": 215, "style": 1}]
    assert chart["n_flagged"] == 2


def test_rows_without_finite_coordinates_are_left_out():
    chart = map_chart(document([0.0, None, 1.0], [0.0, 1.0, float("nan")], [0, 0, 0], [False] * 3), [])
    assert chart["n_points"] == 1
    assert chart["groups"][0]["path"] == "M16 414"


def test_the_largest_classes_have_their_own_marker_and_the_others_share_one():
    sizes = (1, 9, 8, 7, 6, 5, 4, 3)
    chart = map_chart(document([0.0] * 8, [0.0] * 8, list(range(8)), [False] * 8, sizes), [])
    assert [group["name"] for group in chart["groups"]] == ["c1", "c2", "c3", "c4", "c5", "c6", None]
    assert [group["style"] for group in chart["groups"]] == list(range(OTHER + 1))
    assert chart["groups"][-1]["n_names"] == 2
    assert chart["groups"][-1]["marker"] == MARKERS[0]
