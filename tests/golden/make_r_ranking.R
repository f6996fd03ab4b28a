# Made tests/golden/r_ranking.json, from the root of the repository:
#   Rscript tests/golden/make_r_ranking.R > tests/golden/r_ranking.json
# pROC, ROCR: Debian r-cran-proc, r-cran-rocr. cutpointr: r-cran-cutpointr. yardstick 1.1.0 and
# PresenceAbsence 1.1.11 from their source.
suppressMessages({library(pROC); library(ROCR); library(yardstick); library(PresenceAbsence)
                  library(cutpointr); library(jsonlite)})
data(aSAH)
asah <- data.frame(poor = as.integer(aSAH$outcome == "Poor"), wfns = as.integer(aSAH$wfns),
                   s100b = aSAH$s100b)
credit <- read.csv("src/steelyard/data/german_credit_scores.csv")
wdbc <- read.csv("src/steelyard/data/wdbc_scores.csv")
curve <- function(truth, score) pROC::roc(truth, score, levels = c(0, 1), direction = "<", quiet = TRUE)

areas <- function(truth, score) {
  one <- curve(truth, score)
  part <- function(from, to, focus, correct)
    as.numeric(pROC::auc(one, partial.auc = c(from, to), partial.auc.focus = focus,
                   partial.auc.correct = correct))
  list(auc = as.numeric(pROC::auc(one)), variance = pROC::var(one), wald = as.numeric(ci.auc(one))[c(1, 3)],
       wald_90 = as.numeric(ci.auc(one, conf.level = 0.9))[c(1, 3)],
       partial = part(1, 0.8, "specificity", FALSE),
       partial_corrected = part(1, 0.8, "specificity", TRUE),
       partial_sensitivity_corrected = part(1, 0.9, "sensitivity", TRUE))
}
paired <- function(truth, first, second) {
  test <- roc.test(curve(truth, first), curve(truth, second), method = "delong", paired = TRUE)
  list(z = unname(test$statistic), p = test$p.value,
       covariance = cov(curve(truth, first), curve(truth, second)))
}
rocr <- function(truth, score, cuts) {
  p <- prediction(score, truth)
  at <- function(name, ...) {
    f <- performance(p, name, ...)
    x <- f@x.values[[1]]; y <- f@y.values[[1]]
    sapply(cuts, function(cut) y[max(which(x >= cut))])
  }
  names <- c("acc", "err", "fpr", "tpr", "fnr", "tnr", "prec", "npv", "pcfall", "pcmiss", "rpp",
             "rnp", "phi", "f", "odds", "lift", "mi")
  c(list(cuts = cuts, auc = performance(p, "auc")@y.values[[1]],
         aucpr = performance(p, "aucpr")@y.values[[1]],
         rmse = performance(p, "rmse")@y.values[[1]],
         mxe = performance(p, "mxe")@y.values[[1]]),
    setNames(lapply(names, at), names), list(cost = at("cost", cost.fp = 1, cost.fn = 5)))
}
ranked <- function(truth, score) {
  f <- data.frame(t = factor(truth, levels = c(1, 0)), s = score)
  list(roc_auc = roc_auc(f, t, s)$.estimate, pr_auc = pr_auc(f, t, s)$.estimate,
       average_precision = average_precision(f, t, s)$.estimate,
       gain_capture = gain_capture(f, t, s)$.estimate,
       mn_log_loss = mn_log_loss(f, t, s)$.estimate)
}
cuts <- function(truth, score) {
  one <- function(metric, f = maximize_metric, ...) {
    found <- suppressMessages(cutpointr(data.frame(x = score, c = truth), x, c, pos_class = 1,
                                        direction = ">=", method = f, metric = metric, ...))
    found$optimal_cutpoint
  }
  list(youden = one(youden), kappa = one(cohens_kappa), f1 = one(F1_score),
       corner = one(roc01, f = minimize_metric))
}
digits <- read.csv("src/steelyard/data/digits_scores_logreg.csv")
ten <- as.matrix(digits[, paste0("p", 0:9)]); colnames(ten) <- 0:9
many <- multiclass.roc(factor(digits$truth), ten, quiet = TRUE)
species <- read.csv("src/steelyard/data/species_presence_scores.csv")
species <- species[species$SPECIES == species$SPECIES[1], ]
pa <- data.frame(id = seq_len(nrow(species)), obs = species$OBSERVED, GAM = species$GAM)
best <- optimal.thresholds(pa, threshold = 1001, na.rm = FALSE,
                           opt.methods = c("Sens=Spec", "MaxSens+Spec", "MaxKappa", "PredPrev=Obs",
                                           "ObsPrev", "MeanProb", "MinROCdist", "ReqSens"),
                           req.sens = 0.9)
at <- presence.absence.accuracy(pa, threshold = 0.5, st.dev = TRUE)
version <- function(p) as.character(packageVersion(p))
cat(toJSON(list(
  origin = paste0("R ", getRversion(), ": pROC ", version("pROC"), ", ROCR ", version("ROCR"),
                  ", yardstick ", version("yardstick"), ", cutpointr ", version("cutpointr"),
                  ", PresenceAbsence ", version("PresenceAbsence"), "; script make_r_ranking.R"),
  tolerance_reason = "written with 15 digits; sums of some hundred terms in another order",
  asah = list(data = asah, wfns = areas(asah$poor, asah$wfns),
              s100b = areas(asah$poor, asah$s100b),
              paired = paired(asah$poor, asah$wfns, asah$s100b)),
  credit = list(rf = areas(credit$truth, credit$rf), glm = areas(credit$truth, credit$glm),
                paired = paired(credit$truth, credit$rf, credit$glm),
                rocr = rocr(credit$truth, credit$rf, c(0.2, 0.35, 0.5)),
                yardstick = ranked(credit$truth, credit$rf), cutpointr = cuts(credit$truth, credit$rf)),
  wdbc = list(knn7 = areas(wdbc$truth, wdbc$knn7), rf = areas(wdbc$truth, wdbc$rf),
              paired = paired(wdbc$truth, wdbc$knn7, wdbc$rf),
              yardstick = ranked(wdbc$truth, wdbc$knn7)),
  digits = list(hand_till = as.numeric(many$auc)),
  species = list(name = species$SPECIES[1], thresholds = best,
                 at_half = at[, c("PCC", "sensitivity", "specificity", "Kappa", "AUC", "Kappa.sd")])
), auto_unbox = TRUE, digits = NA, pretty = TRUE))
cat("\n")
