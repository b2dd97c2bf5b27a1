"""The quadratic model at an optimum: leave-one-out, variances, elimination of nodes."""
