"""Joint refinement: weights, centers and widths minimise one penalised loss together."""
