# Sizes and powers of tests from R, for tests/planning/test_golden_plans.py.
# Rscript tests/golden/make_plans.R > tests/golden/plans.json
suppressMessages({library(pROC); library(rpact)})
prop <- function(p1, p2, power) power.prop.test(p1 = p1, p2 = p2, power = power)$n
roc <- function(auc, ratio, power) {
  r <- power.roc.test(auc = auc, kappa = ratio, sig.level = 0.05, power = power, alternative = "two.sided")
  c(r$ncases, r$ncontrols)
}
hanley <- function(a, m, n) {
  q1 <- a / (2 - a); q2 <- 2 * a^2 / (1 + a)
  (a * (1 - a) + (m - 1) * (q1 - a^2) + (n - 1) * (q2 - a^2)) / (m * n)
}
mcnemar_power <- function(n, p10, p01, alpha = 0.05) {
  # Exact unconditional power of the two-sided exact and mid-p McNemar tests, for the larger side.
  psi <- p10 + p01; q <- p10 / psi; total <- c(exact = 0, midp = 0)
  for (N in 1:n) {
    w <- dbinom(N, n, psi); if (w < 1e-16) next
    x <- 0:N
    lost <- N - x
    exact <- 2 * pbinom(lost, N, 0.5) <= alpha & x > lost
    midp <- 2 * pbinom(lost, N, 0.5) - dbinom(lost, N, 0.5) <= alpha & x > lost
    d <- dbinom(x, N, q)
    total <- total + w * c(sum(d[exact]), sum(d[midp]))
  }
  total
}
looks <- function(type) getDesignGroupSequential(kMax = 5, alpha = 0.05, sided = 2, typeOfDesign = type)
out <- list()
line <- function(name, value) cat(sprintf('  "%s": [%s]', name, paste(sprintf("%.12g", value), collapse = ", ")))
cat("{\n")
line("power.prop.test 0.9 0.8 0.8", prop(0.9, 0.8, 0.8)); cat(",\n")
line("power.prop.test 0.95 0.9 0.9", prop(0.95, 0.9, 0.9)); cat(",\n")
line("power.prop.test 0.6 0.5 0.8", prop(0.6, 0.5, 0.8)); cat(",\n")
line("power.roc.test 0.8", roc(0.8, 1, 0.9)); cat(",\n")
line("power.roc.test 0.7", roc(0.7, 2, 0.8)); cat(",\n")
line("hanley variance 0.893 51 58", hanley(0.893, 51, 58)); cat(",\n")
line("mcnemar power 155 0.15 0.05", mcnemar_power(155, 0.15, 0.05)); cat(",\n")
line("mcnemar power 402 0.04 0.02", mcnemar_power(402, 0.04, 0.02)); cat(",\n")
line("rpact asOF bounds", looks("asOF")$criticalValues); cat(",\n")
line("rpact asP bounds", looks("asP")$criticalValues); cat("\n}\n")
