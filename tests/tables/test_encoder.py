"""From a mixed table to numbers and back, as a transformer of scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from drumlin import TableEncoder
from drumlin._errors import ParameterError
from drumlin.tables import TableError, TableWarning

N = 120
CITIES = [f"city {i}" for i in range(24)]


def table(seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "id": np.arange(N),
            "age": np.where(rng.uniform(size=N) < 0.1, np.nan, rng.normal(40.0, 9.0, N)),
            "weight": [f"{w:.1f} kg" for w in rng.normal(70.0, 9.0, N)],
            "price": [f"${p:,}" for p in rng.integers(500, 9000, N)],
            "sex": rng.choice(["f", "m"], N).astype(object),
            "port": rng.choice(["C", "Q", "S", None], N).astype(object),
            "city": np.array(CITIES, dtype=object)[np.arange(N) % 24],
            "seen": pd.date_range("2020-12-01", periods=N).strftime("%d.%m.%Y").astype(object),
            "size": rng.choice(["S", "M", "L"], N).astype(object),
            "member": rng.choice([True, False], N),
            "ship": "Titanic",
        }
    )


KINDS = {"size": ["S", "M", "L"]}
NAMES = [
    "age", "age is missing", "weight", "price", "sex = f", "sex = m", "port = C", "port = Q",
    "port = S", "port is missing", "city (share of yes)", "seen (days)", "seen (year)",
    "seen (month)", "seen (weekday)", "size", "member",
]  # fmt: skip


def classes(frame):
    """Whether someone is told by the city: it can be learned from it."""
    return np.where(frame["city"].isin(CITIES[:8]), "yes", "no")


@pytest.fixture(scope="module")
def fitted():
    frame = table()
    encoder = TableEncoder(kinds=KINDS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        Z = encoder.fit_transform(frame, classes(frame))
    return encoder, frame, Z


def test_amounts_are_told():
    with pytest.warns(TableWarning, match="'weight' holds amounts in kg: they are read as numbers"):
        TableEncoder().fit(table()[["weight", "age"]])


def test_what_columns_are(fitted):
    encoder, frame, Z = fitted
    kinds = {column.name: column.kind for column in encoder.schema_.columns}
    assert kinds == {
        "id": "id", "age": "number", "weight": "number", "price": "number", "sex": "category",
        "port": "category", "city": "category", "seen": "date", "size": "ordered",
        "member": "boolean", "ship": "constant",
    }  # fmt: skip
    assert list(encoder.get_feature_names_out()) == NAMES
    assert Z.shape == (N, len(NAMES)) and np.isfinite(Z).all()
    made = pd.DataFrame(Z, columns=NAMES)
    np.testing.assert_array_equal(made["weight"], frame["weight"].str[:-3].astype(float))
    money = frame["price"].str.replace("[$,]", "", regex=True).astype(float)
    np.testing.assert_array_equal(made["price"], money)
    np.testing.assert_array_equal(made["size"], frame["size"].map({"S": 0, "M": 1, "L": 2}))
    np.testing.assert_array_equal(made["age is missing"], frame["age"].isna())
    dates = pd.to_datetime(frame["seen"], format="%d.%m.%Y")
    np.testing.assert_array_equal(made["seen (days)"], np.arange(N))
    np.testing.assert_array_equal(made["seen (weekday)"], dates.dt.day_of_week)
    np.testing.assert_array_equal(made["seen (month)"], dates.dt.month)


def test_back_to_the_table(fitted):
    encoder, frame, _ = fitted
    back = encoder.inverse_transform(encoder.transform(frame))
    assert list(back) == encoder.columns_
    for name in ("sex", "port", "size"):
        assert back[name].fillna("").tolist() == frame[name].fillna("").tolist()
    np.testing.assert_array_equal(back["age"], frame["age"])
    assert back["seen"].dt.strftime("%d.%m.%Y").tolist() == frame["seen"].tolist()
    with pytest.raises(ValueError, match=f"must have {len(NAMES)} columns. Got 2"):
        encoder.inverse_transform(np.zeros((1, 2)))


def test_shares_add_up_by_column(fitted):
    encoder, _, _ = fitted
    shares = np.arange(len(NAMES), dtype=float)
    added = dict(zip(encoder.columns_, encoder.by_column(shares), strict=True))
    assert added["age"] == 0 + 1 and added["port"] == 6 + 7 + 8 + 9 and added["member"] == 16
    assert added["seen"] == 11 + 12 + 13 + 14


def test_order_of_columns_and_types_do_not_matter(fitted):
    encoder, frame, _ = fitted
    expected = encoder.transform(frame)
    other = frame.iloc[:, ::-1].astype({"sex": "category", "port": "string"})
    np.testing.assert_array_equal(encoder.transform(other), expected)
    inputs, _ = encoder.read(frame)
    np.testing.assert_array_equal(encoder.transform(inputs), expected)


@pytest.mark.filterwarnings("ignore::drumlin.tables.TableWarning")
def test_polars(fitted):
    polars = pytest.importorskip("polars")
    encoder, frame, Z = fitted
    plain = {c: frame[c].astype(object).where(frame[c].notna(), None).tolist() for c in frame}
    other = polars.DataFrame(plain)
    np.testing.assert_array_equal(encoder.transform(other), encoder.transform(frame))
    again = clone(encoder)
    np.testing.assert_array_equal(again.fit_transform(other, classes(frame)), Z)
    assert again.schema_ == encoder.schema_
    made = clone(encoder).set_output(transform="polars").fit(other, classes(frame)).transform(other)
    assert isinstance(made, polars.DataFrame) and made.columns == NAMES


def test_surprises(fitted):
    encoder, frame, _ = fitted
    odd = frame.head(3).assign(port=["X", "X", "S"], sex=["f", None, "m"], weight=[1.0, None, 2.0])
    _, surprises = encoder.read(odd)
    assert surprises.unknown == {"port": {"X": 2}, "sex": {"": 1}}
    assert surprises.gaps == {"weight": {"": 1}}
    row = pd.DataFrame(encoder.transform(odd), columns=NAMES).iloc[0]
    assert row[["port = C", "port = Q", "port = S", "port is missing"]].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(("changed", "match"), [
    ({"weight": "80 lb"}, "must hold amounts in kg, as in training. Got amounts in lb"),
    ({"seen": "2021-02-03"}, r"must hold dates \(day first\), as in training. Got '2021-02-03'"),
    ({"seen": 20210203}, "must hold dates"),
    ({"age": "old"}, "must hold numbers, as in training. Got 'old'"),
    ({"age": np.inf}, "must hold finite numbers"),
])  # fmt: skip
def test_tables_that_are_something_else(fitted, changed, match):
    encoder, frame, _ = fitted
    with pytest.raises(TableError, match=match):
        encoder.transform(frame.assign(**changed))
    with pytest.raises(TableError, match="lacks the column 'age' that the model uses"):
        encoder.transform(frame.drop(columns="age"))


@pytest.mark.filterwarnings("ignore::drumlin.tables.TableWarning")
@pytest.mark.parametrize(("kinds", "match"), [
    ({"sex": "colour"}, "Got 'colour' for 'sex'"),
    ({"sex": "ordered"}, "'ordered' only where the type has an order"),
    ({"size": ["S", "M"]}, "must list all levels of 'size'. Got no 'L'"),
    ({"size": ["S", "M", "M", "L"]}, "must list every level of 'size' once. Got 'M' more than"),
    ({"type": "ordered"}, "'ordered' only where the type has an order"),
    ({"sex": "number"}, "must not take 'sex' for numbers. Got 'm', 'f'|Got 'f', 'm'"),
    ({"sex": "date"}, "must not take 'sex' for dates: not all are dates"),
    ({"nobody": "number"}, "lacks the column 'nobody' that the 'kinds' parameter names"),
])  # fmt: skip
def test_kinds_that_cannot_be(kinds, match):
    with pytest.raises((ParameterError, TableError), match=match):
        TableEncoder(kinds=kinds).fit(table().assign(type=pd.Categorical([*"ab"] * (N // 2))))


@pytest.mark.filterwarnings("ignore::drumlin.tables.TableWarning")
@pytest.mark.parametrize("kind", ["number", "category", "date", ["lo", "hi"]])
@pytest.mark.parametrize("nothing", [None, np.nan, pd.NaT])
def test_columns_without_a_value_are_empty_whatever_is_said(kind, nothing):
    encoder = TableEncoder(kinds={"gone": kind}).fit(table().assign(gone=nothing))
    assert encoder.schema_.columns[-1].kind == "empty" and "gone" not in encoder.columns_


@pytest.mark.filterwarnings("ignore::drumlin.tables.TableWarning")
def test_kinds_decide():
    frame = table()
    frame["grade"] = np.arange(N) % 3
    kinds = {"grade": "category", "port": "ignore", "id": "number", "size": [*"SML"]}
    names = list(TableEncoder(kinds=kinds).fit(frame).get_feature_names_out())
    assert {"id", "grade = 0", "grade = 2", "size"} <= {*names}
    assert not any(name.startswith("port") for name in names)
    assert "id" in TableEncoder(keep=["id"]).fit(frame).columns_
    typed = frame.assign(size=pd.Categorical(frame["size"], [*"SML"], ordered=True))
    assert "size" in TableEncoder().fit(typed).get_feature_names_out()


def test_rare_texts_share_a_column_and_names_do_not_clash():
    words = ["common"] * 50 + ["usual"] * 30 + [f"rare {i}" for i in range(4)] * 2
    frame = pd.DataFrame({"c": words, "c = other": np.linspace(0.0, 1.0, 88)})
    encoder = TableEncoder().fit(frame)
    names = list(encoder.get_feature_names_out())
    assert names == ["c = common", "c = usual", "c = other'", "c = other"]
    new = pd.DataFrame({"c": ["never seen", None], "c = other": 0.5})
    assert encoder.transform(new)[:, :3].tolist() == [[0, 0, 1], [0, 0, 1]]
    few = TableEncoder(max_categories=2).fit(frame)
    assert list(few.get_feature_names_out())[:2] == ["c = common", "c = other'"]


def test_texts_that_are_all_rare_are_left_out():
    frame = pd.DataFrame({"c": [f"w{i // 2}" for i in range(40)], "z": np.linspace(0.0, 1.0, 40)})
    encoder = TableEncoder().fit(frame)
    assert {c.name: c.kind for c in encoder.schema_.columns} == {"c": "rare", "z": "number"}
    with pytest.raises(TableError, match=r"no input that can be used. Got 'c' \(rare: every text"):
        TableEncoder().fit(frame[["c"]])


def test_one_column_for_two_texts():
    frame = pd.DataFrame({"s": ["f", "m", "m", None, "m"] * 5})
    encoder = TableEncoder(mirrored=False).fit(frame)
    assert list(encoder.get_feature_names_out()) == ["s = m", "s is missing"]
    new = pd.DataFrame({"s": ["f", "m", None, "x"]})
    assert encoder.transform(new).tolist() == [[0, 0], [1, 0], [0.75, 1], [0.75, 0]]


def test_inside_a_column_transformer():
    frame = table()
    parts = ColumnTransformer([("some", TableEncoder(), ["sex", "age"])])
    assert parts.fit_transform(frame, classes(frame)).shape == (N, 4)
    assert next(iter(parts.get_feature_names_out())) == "some__sex = f"


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA])
def test_targets_with_gaps_are_refused(gap):
    frame = table()
    y = pd.Series([gap, *classes(frame)[1:]], dtype=object)
    for given in (y, y.astype("string"), np.column_stack([y, y])):
        with pytest.raises(ValueError, match=rf"'y' parameter must have a value.* in 1 row of {N}"):
            TableEncoder().fit(frame, given)


def test_a_table_that_is_not_there_yet():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"'X' parameter must be a table in memory.*LazyFrame"):
        TableEncoder().fit(polars.LazyFrame({"a": [1.5, 2.5]}))


def test_decimal_commas_are_told():
    frame = pd.DataFrame({"z": np.linspace(0.0, 1.0, 20), "c": ["0,5", "1", "2,25", None] * 5})
    with pytest.warns(TableWarning, match=r"'c' is taken for texts, but '0,5' may be a number"):
        TableEncoder().fit(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TableEncoder().fit(frame.assign(c=["0,5", "1a"] * 10))


CANNOT = {
    "check_fit2d_1sample": "a table of one row has constants only",
}


@parametrize_with_checks([TableEncoder()], expected_failed_checks=lambda _: CANNOT)
def test_scikit_learn(estimator, check):
    check(estimator)
