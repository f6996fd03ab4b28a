# Made tests/golden/r_detection.json, from the root of the repository:
#   Rscript tests/golden/make_r_detection.R > tests/golden/r_detection.json
# caret, Hmisc, epiR: Debian r-cran-caret, r-cran-hmisc, r-cran-epir. yardstick 1.1.0 from source.
suppressMessages({library(yardstick); library(caret); library(epiR); library(Hmisc)
                  library(jsonlite)})
letters_ <- read.csv("src/steelyard/data/letter_labels.csv", stringsAsFactors = FALSE)
credit <- read.csv("src/steelyard/data/german_credit_scores.csv")
two <- data.frame(t = factor(credit$truth, levels = c(1, 0)),
                  c = factor(as.integer(credit$rf >= 0.35), levels = c(1, 0)))
levels_ <- sort(unique(letters_$truth))
many <- data.frame(t = factor(letters_$truth, levels_), c = factor(letters_$lda, levels_))
classes <- function(f, estimators) {
  one <- function(fn, est) suppressWarnings(fn(f, t, c, estimator = est)$.estimate)
  per <- list(precision = yardstick::precision, recall = yardstick::recall,
              f_meas = yardstick::f_meas, spec = yardstick::spec, npv = yardstick::npv,
              j_index = yardstick::j_index, bal_accuracy = yardstick::bal_accuracy,
              detection_prevalence = yardstick::detection_prevalence)
  c(list(accuracy = accuracy(f, t, c)$.estimate, kap = kap(f, t, c)$.estimate,
         kap_linear = kap(f, t, c, weighting = "linear")$.estimate,
         kap_quadratic = kap(f, t, c, weighting = "quadratic")$.estimate,
         mcc = mcc(f, t, c)$.estimate),
    setNames(lapply(per, function(fn)
      setNames(lapply(estimators, function(e) one(fn, e)), estimators)), names(per)))
}
m <- confusionMatrix(two$c, two$t, positive = "1")
tests <- epi.tests(matrix(c(80, 15, 20, 135), 2, byrow = TRUE), method = "wilson")
interval <- function(x, n) list(x = x, n = n,
  wilson = binconf(x, n, method = "wilson")[2:3], exact = binconf(x, n, method = "exact")[2:3],
  binom_test = as.numeric(binom.test(x, n)$conf.int),
  prop_test = as.numeric(prop.test(x, n, correct = FALSE)$conf.int))
version <- function(p) as.character(packageVersion(p))
cat(toJSON(list(
  origin = paste0("R ", getRversion(), ": yardstick ", version("yardstick"), ", caret ",
                  version("caret"), ", epiR ", version("epiR"), ", Hmisc ", version("Hmisc"),
                  "; script make_r_detection.R"),
  tolerance_reason = "written with 15 digits",
  binary = c(classes(two, "binary"), list(
    f2 = f_meas(two, t, c, beta = 2)$.estimate,
    ppv_at = yardstick::ppv(two, t, c, prevalence = 0.05)$.estimate,
    npv_at = yardstick::npv(two, t, c, prevalence = 0.05)$.estimate)),
  letters = classes(many, c("macro", "micro", "macro_weighted")),
  caret = list(overall = as.list(m$overall), by_class = as.list(m$byClass)),
  epi = list(cells = list(tp = 80, fp = 15, fn = 20, tn = 135), detail = tests$detail),
  shares = lapply(list(c(0, 12), c(8, 10), c(37, 40), c(512, 1000)),
                  function(p) interval(p[1], p[2])),
  fisher = fisher.test(matrix(c(8, 2, 1, 5), 2, byrow = TRUE))$p.value,
  mcnemar = mcnemar.test(matrix(c(160, 5, 18, 17), 2), correct = FALSE)$p.value
), auto_unbox = TRUE, digits = NA, pretty = TRUE))
cat("\n")
