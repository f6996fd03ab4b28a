# Made tests/golden/r_agreement.json, from the root of the repository:
#   Rscript tests/golden/make_r_agreement.R > tests/golden/r_agreement.json
# irr 0.84.1 and irrCAC 1.0 from their source, psych: Debian r-cran-psych.
suppressMessages({library(irr); library(irrCAC); library(psych); library(jsonlite)})
set.seed(7)
truth <- sample(1:4, 40, TRUE, c(.4, .3, .2, .1))
said <- sapply(1:5, function(r) ifelse(runif(40) < .7, truth, sample(1:4, 40, TRUE)))
holes <- said
holes[cbind(sample(40, 30, TRUE), sample(5, 30, TRUE))] <- NA
two <- said[, 1:2]
cac <- function(found) list(coeff = found$est$coeff.val, pa = found$est$pa, pe = found$est$pe,
                            se = found$est$coeff.se)
diamonds <- read.csv("src/steelyard/data/diamonds_ordinal_labels.csv")
pair <- as.matrix(diamonds[, c("truth", "rf")])
psyched <- function(m) {
  found <- suppressWarnings(cohen.kappa(m))
  list(kappa = found$kappa, quadratic = found$weighted.kappa, variance = found$var.kappa)
}
version <- function(p) as.character(packageVersion(p))
cat(toJSON(list(
  origin = paste0("R ", getRversion(), ": irr ", version("irr"), ", irrCAC ", version("irrCAC"),
                  ", psych ", version("psych"), "; script make_r_agreement.R"),
  tolerance_reason = "irrCAC rounds to 5 digits; the others are written with 15",
  said = said, holes = holes,
  kappa2 = list(unweighted = kappa2(two)$value, equal = kappa2(two, "equal")$value,
                squared = kappa2(two, "squared")$value, z = kappa2(two)$statistic),
  fleiss = list(value = kappam.fleiss(said)$value, exact = kappam.fleiss(said, exact = TRUE)$value),
  kripp = list(nominal = kripp.alpha(t(holes), "nominal")$value,
               ordinal = kripp.alpha(t(holes), "ordinal")$value,
               interval = kripp.alpha(t(holes), "interval")$value),
  full = list(fleiss = cac(fleiss.kappa.raw(said)), conger = cac(conger.kappa.raw(said)),
              alpha = cac(krippen.alpha.raw(said)), ac1 = cac(gwet.ac1.raw(said))),
  missing = list(fleiss = cac(fleiss.kappa.raw(holes)), conger = cac(conger.kappa.raw(holes)),
                 alpha = cac(krippen.alpha.raw(holes)), ac1 = cac(gwet.ac1.raw(holes)),
                 ac2 = cac(gwet.ac1.raw(holes, weights = "quadratic")),
                 conger_linear = cac(conger.kappa.raw(holes, weights = "linear"))),
  handbook = list(data = as.matrix(cac.raw4raters), conger = cac(conger.kappa.raw(cac.raw4raters)),
                  fleiss = cac(fleiss.kappa.raw(cac.raw4raters)),
                  ac1 = cac(gwet.ac1.raw(cac.raw4raters))),
  diamonds = psyched(pair)
), auto_unbox = TRUE, digits = NA, pretty = TRUE, na = "null"))
cat("\n")
