"""Every constant of the flagship, in one place, by the step that uses it.

``Recipe()`` is what the estimators use; ``dataclasses.replace`` makes an ablation.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from drumlin._constants import budget, statistical
from drumlin.basis.maps import CLIP
from drumlin.novelty import NOVELTY_ROWS
from drumlin.refinement import GrowthRule, Schedule, StirRule
from drumlin.relevance import RELEVANCE_ROWS

SMALLEST_DRAW = 5000
"""Rows that draws have in any case: those that a start is found on."""

ROWS_PER_NODE = 80
"""Rows of the largest draw for every node, where memory is little: nodes take memory, too."""


@dataclass(frozen=True)
class ViewRule:
    """How inputs are seen.

    Parameters
    ----------
    clip : float
        Standard deviations that no clipped input can exceed.
    reach : float
        Spreads around the middle of an input beyond which entries count as if they were there:
        mean and standard deviation are not to be those of a few wild ones.
    skewed : float
        Skewness beyond which an input may be drawn in by a power.
    half_way : float
        How far towards the likeliest power.
    rows : int
        Rows that tell the middle and the spread, and the median of the targets.
    power_rows : int
        Rows that tell the powers.
    judged_rows : int
        Most rows on which networks with and without powers are compared.
    """

    clip: float = statistical(CLIP)
    reach: float = statistical(100.0)
    skewed: float = statistical(0.5)
    half_way: float = statistical(0.5)
    rows: int = budget(20_000)
    power_rows: int = budget(2000)
    judged_rows: int = budget(1000)


@dataclass(frozen=True)
class StartRule:
    """Which metric, width, samples and size to start from.

    Parameters
    ----------
    widths : tuple of float
        Widths in units of the median distance over sqrt(2), descending; where each is half the
        last, one exponential serves all.
    shrinkage : tuple of float
        Whitened metrics: how far the within-class covariance is shrunk towards a sphere.
    most_whitened : float
        Inputs per sample above which nothing is whitened: a covariance has seen too many labels.
    handicap : float
        Advantage in log error that a whitened metric must show: it has seen the labels.
    degree : int
        Highest degree of the polynomials that say what an input tells alone.
    least_factors : tuple of float
        Where round nodes see no signal, inputs that tell nothing alone count this much.
    alpha : float
        Penalty of orthogonal columns in the paths.
    cap : float
        Most nodes in units of the square root of the number of samples.
    nodes_per_class : tuple of float
        For more than two classes: most nodes per class are the first, or the second times the
        square root of the number of samples where that is more.
    copies : int
        As so many samples rows count at most in these numbers, in the mean, whatever they weigh.
    winsor : float
        Targets are cut here with the Huber loss, in robust standard deviations.
    scan_rows : int
        Most rows on which metrics and widths are compared.
    final_rows : int
        Most rows of the final path.
    candidates : int
        Least number of candidate centers.
    candidates_per_node : int
        Candidates for every node of the cap.
    median_pairs : int
        Pairs of samples that are enough for a median distance.
    """

    widths: tuple[float, ...] = statistical((8.0, 4.0, 2.0, 1.0, 0.5))
    shrinkage: tuple[float, ...] = statistical((0.5, 0.05))
    most_whitened: float = statistical(0.25)
    handicap: float = statistical(0.1)
    degree: int = statistical(5)
    least_factors: tuple[float, ...] = statistical((0.3, 0.1))
    alpha: float = statistical(0.1)
    cap: float = statistical(0.6)
    nodes_per_class: tuple[float, float] = statistical((8.0, 0.27))
    copies: int = budget(64)
    winsor: float = statistical(3.0)
    scan_rows: int = budget(2000)
    final_rows: int = budget(5000)
    candidates: int = budget(300)
    candidates_per_node: int = budget(4)
    median_pairs: int = budget(60_000)


@dataclass(frozen=True)
class ProjectionRule:
    """When nodes stand on the scores of a ridge regression.

    Parameters
    ----------
    wide : float
        Inputs per sample above which a projection is tried.
    margin : float
        Standard errors by which its squared errors must be lower.
    decades : tuple of float
        First, last and step of the penalties tried: powers of ten, in units of the mean squared
        distance of the samples from their mean.
    rows : tuple of int
        Least and most rows of a table for which it is tried: time grows with their third power.
    """

    wide: float = statistical(0.1)
    margin: float = statistical(3.0)
    decades: tuple[float, float, float] = statistical((-3.0, 4.0, 0.5))
    rows: tuple[int, int] = budget((5, 2000))


@dataclass(frozen=True)
class PenaltyRule:
    """Penalties of the variables of the refinement.

    Parameters
    ----------
    intercept : float
        Of the intercept: next to nothing, only to have one minimum.
    scale : float
        Of a node's own scale.
    metric : float
        Of the metric that all nodes share.
    metric_of_many : float
        Of the metric that all nodes share, for more than two classes: every contrast informs it.
    coef_of_two : float
        Of the weights for two classes, times the leave-one-out squared error of the start.
    shift_of_two : float
        Of the shifts of centers, for two classes.
    shift_of_many : float
        Of the shifts of centers, for more classes.
    coef_of_many : tuple of float
        Of the weights for K > 2 classes, times the unexplained variance: the larger of the first
        and the second over K.
    crowding : tuple of float
        The penalty of the weights for K > 2 classes grows, for more than so many nodes per class,
        with this power of their number.
    deviation : float
        Of a node's individual widths: this over the number of samples times classes.
    deviations_of_two : tuple of float
        Limits of the penalty of individual widths, for two classes and in regression.
    deviations_of_many : tuple of float
        Limits of the penalty of individual widths, for more classes.
    numbers : float
        Of weights of a regression, in units of the noise: a weight of one standard deviation of
        the target costs what one sample's noise does.
    shift_of_numbers : float
        Of the shifts of centers in regression.
    stiffness : float
        Factor of scale and individual widths in regression.
    """

    intercept: float = statistical(1e-6)
    scale: float = statistical(3.0)
    metric: float = statistical(30.0)
    metric_of_many: float = statistical(3.0)
    coef_of_two: float = statistical(0.4)
    shift_of_two: float = statistical(3.0)
    shift_of_many: float = statistical(1.0)
    coef_of_many: tuple[float, float] = statistical((0.1, 1.2))
    crowding: tuple[float, float] = statistical((3.0, 0.7))
    deviation: float = statistical(10_000.0)
    deviations_of_two: tuple[float, float] = statistical((2.0, 30.0))
    deviations_of_many: tuple[float, float] = statistical((3.0, 30.0))
    numbers: float = statistical(1.0)
    shift_of_numbers: float = statistical(6.0)
    stiffness: float = statistical(2.0)


class SmoothKind(NamedTuple):
    """A kind of smooth network.

    Parameters
    ----------
    size : float
        Nodes that are spread, before some are dropped, in units of the start's cap.
    nugget : float
        What the diagonal of their kernel is raised by.
    margin : float
        Standard errors by which its squared errors left out must be lower.
    """

    size: float
    nugget: float
    margin: float


@dataclass(frozen=True)
class SmoothRule:
    """The smooth networks that a regression is compared with.

    Parameters
    ----------
    tried : tuple of SmoothKind
        Nodes that are spread, before some are dropped, in units of the start's cap; what the
        diagonal of their kernel is raised by; standard errors by which squared errors left out must
        be lower. Few nodes cannot tell which inputs matter where many do; many overfit where few
        say it all. The smaller the nugget, the more weights cancel, which no chip can follow:
        where noise is so little that it pays.
    width : float
        Where the search for widths starts, in units of the square root of the number of inputs.
    ratio : float
        Where the search for the ratio of noise to signal starts.
    log_widths : tuple of float
        Limits of the logarithms of widths.
    log_ratios : tuple of float
        Limits of the logarithm of the ratio.
    rounds : int
        How often nodes are spread and widths learned.
    iterations : int
        Most iterations of L-BFGS for one set of nodes.
    rows : int
        Rows on which nodes are spread and widths learned.
    """

    tried: tuple[SmoothKind, ...] = statistical(
        (
            SmoothKind(1.0, 1e-3, 1.0),
            SmoothKind(1.0, 1e-6, 1.0),
            SmoothKind(8.0, 1e-3, 1.0),
            SmoothKind(8.0, 1e-6, 2.0),
        )
    )
    width: float = statistical(2.0)
    ratio: float = statistical(0.01)
    log_widths: tuple[float, float] = statistical((-3.0, 5.0))
    log_ratios: tuple[float, float] = statistical((-16.0, 2.0))
    rounds: int = budget(2)
    iterations: int = budget(30)
    rows: int = budget(1000)


COST_OF_SOLVING = 30
"""Work of a row's eigenvalues and Newton step, in units of its scores' number cubed."""


@dataclass(frozen=True)
class JudgeRule:
    """How solutions are judged and what a fitted model remembers.

    Parameters
    ----------
    most_learned : float
        Mean leverage of rows, all copies of each, beyond which a refined regression knows them by
        heart: then no quadratic model tells what it would do without one.
    signal : float
        Standard errors by which losses left out must be lower than a constant's, where round nodes
        saw no signal.
    least_degrees : float
        Least part of a regression's degrees of freedom that is taken to be left.
    most_variables : int
        Networks with more variables have a quadratic model in single precision, and no variance
        of single predictions.
    class_variables : int
        Networks for two classes with more variables are not judged by samples left out on the way.
    several_variables : int
        Nor are networks of several scores with more variables.
    rows : int
        Rows on which the quadratic model is formed.
    last_variables : int
        Networks with more variables get no quadratic model for their figures either.
    last_work : float
        That model is formed on so many rows times the square of its variables, if there are.
    several_work : float
        For more than two classes, or several outputs, it is formed on all rows, if these and its
        variables, together, times the square of its variables (and what scores cost) are no more.
    longest_step : float
        Log-odds of a Newton step of two classes beyond which it is not trusted.
    decisive : float
        Part of the summed loss left out by which a few rows with such steps decide it: then
        networks are fitted without each of them.
    most_refitted : int
        Rows that this is done for.
    least_apart : int
        Rows kept apart that are preferred to a quadratic model of all rows, where there is time
        for one: the errors of fewer are a noisy figure.
    crossed_parts : tuple of int
        Where it is not formed, so many networks (least, most) are fitted without a part of the rows
        each: the more, the less they lack.
    crossed_total : int
        Rows that all of them are fitted to, beyond the least number.
    crossed_rows : int
        If there are no more rows than these.
    truncation_rows : int
        Most rows whose curvature ``truncate`` remembers, and whose distances ``novelty`` does.
    relevance_rows : int
        Most rows whose slopes ``relevance_`` averages.
    """

    most_learned: float = statistical(0.5)
    signal: float = statistical(1.5)
    least_degrees: float = statistical(0.1)
    most_variables: int = budget(600)
    class_variables: int = budget(1500)
    several_variables: int = budget(800)
    rows: int = budget(2000)
    last_variables: int = budget(2000)
    last_work: float = budget(2e9)
    several_work: float = budget(2e10)
    longest_step: float = statistical(2.0)
    decisive: float = statistical(0.25)
    most_refitted: int = budget(8)
    least_apart: int = statistical(740)
    crossed_parts: tuple[int, int] = statistical((4, 8))
    crossed_total: int = budget(5000)
    crossed_rows: int = budget(2500)
    truncation_rows: int = budget(NOVELTY_ROWS)
    relevance_rows: int = budget(RELEVANCE_ROWS)

    def n_parts(self, n_rows: int) -> int:
        """Networks that are fitted without a part of the rows each."""
        least, most = self.crossed_parts
        return min(max(self.crossed_total // n_rows, least), most)

    def affords_several(self, n_rows: int, n_outputs: int, size: int) -> bool:
        """Whether there is time for the quadratic model of several scores, of all rows."""
        if n_outputs == 1 or n_rows > self.truncation_rows:
            return False
        work = (n_rows + size) * size**2 + n_rows * COST_OF_SOLVING * n_outputs**3
        return work <= self.several_work

    def last_rows(self, size: int) -> int:
        """Rows of the last quadratic model, by the number of its variables."""
        rows = self.last_work / max(size, 1) ** 2
        return int(min(max(rows, self.rows), self.truncation_rows))


@dataclass(frozen=True)
class Recipe:
    """The flagship's constants.

    Parameters
    ----------
    price : float
        A node must save this times log(N) / sqrt(K - 1) of the summed loss to survive pruning.
    view, start, projection, penalties, schedule, growth, stirring, smooth, judge
        Those of every step.
    """

    price: float = statistical(0.1)
    view: ViewRule = field(default_factory=ViewRule)
    start: StartRule = field(default_factory=StartRule)
    projection: ProjectionRule = field(default_factory=ProjectionRule)
    penalties: PenaltyRule = field(default_factory=PenaltyRule)
    schedule: Schedule = field(default_factory=Schedule)
    growth: GrowthRule = field(default_factory=GrowthRule)
    stirring: StirRule = field(default_factory=StirRule)
    smooth: SmoothRule = field(default_factory=SmoothRule)
    judge: JudgeRule = field(default_factory=JudgeRule)

    def in_short(self) -> Recipe:
        """Return the recipe without longer rounds and growth: enough to compare views."""
        growth, schedule = replace(self.growth, variables=0), replace(self.schedule, further=())
        return replace(self, growth=growth, schedule=schedule)

    def within(self, most: int) -> Recipe:
        """Return the recipe with draws of no more than so many rows, for little memory."""
        smaller = self._with_draws(most)
        nodes = max(most, SMALLEST_DRAW) // ROWS_PER_NODE
        return replace(smaller, growth=replace(smaller.growth, most_nodes=nodes))

    def for_inputs(self, n_inputs: int) -> Recipe:
        """Return the recipe with draws that are not too large for so many inputs."""
        return self._with_draws(int(self.growth.entries) // max(n_inputs, 1))

    def _with_draws(self, most: int) -> Recipe:
        most = max(most, SMALLEST_DRAW)
        view = replace(self.view, rows=min(most, self.view.rows))
        judge = replace(self.judge, truncation_rows=min(most, self.judge.truncation_rows))
        return replace(self, view=view, growth=self.growth.within(most), judge=judge)
