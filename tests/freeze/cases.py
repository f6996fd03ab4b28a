"""What is frozen: a name for what is typed, line after line in one folder.

The last line is also run with ``--json`` where its command takes that. A new verb, method, question
or example goes here; ``test_freeze.py`` says when one is missing.
"""

__all__ = ["CASES"]

PAIR = "--paired cnn=18,svm=5,both=160,neither=17"
PAPER = "--correct S=190,T=194,U=180 --tested 200 --pairing independent"
SPECIES = "species_presence_scores.csv --truth OBSERVED --positive 1"
PROBLEMS = "compare problems.csv --fold ''"
NEW = "campaign new radar.db --systems cnn,svm"
ADD_LEVEL = "campaign add radar.db level.csv --outcome cnn,svm"
ADD_LEAD = "campaign add radar.db lead.csv --outcome cnn,svm"
ADD_HALF = "campaign add radar.db half.jsonl --outcome cnn,svm"
SPEECH = "speech_errors.csv --errors conformer.errors,hybrid.errors --per words"
GRADES = "judge_grades.csv --value alpha,beta"
REPEATS = "repeats.csv --cluster question --outcome coached,plain"
STOP = '--stop "best >= 0.95 or n >= 100" --not-simulated'

CASES: dict[str, str] = {
    # --- evaluate
    "evaluate-digits": "evaluate digits_labels.csv",
    "evaluate-one-system": "evaluate digits_labels.csv --systems svm",
    "evaluate-letters": "evaluate letter_labels.csv --systems rf,svm",
    "evaluate-cancer": "evaluate wdbc_scores.csv --positive 1 --systems nb,tree",
    "evaluate-credit": "evaluate german_credit_scores.csv --positive 1",
    "evaluate-cells": "evaluate cells_scores.csv --positive 1 --systems rf,nb",
    "evaluate-folds": "evaluate cells_cv10.csv --positive 1",
    "evaluate-diamonds": "evaluate diamonds_ordinal_labels.csv",
    "evaluate-species": f"evaluate {SPECIES} --group SPECIES",
    "evaluate-vectors": "evaluate digits_scores_logreg.csv --vector 'logreg=p{class}'",
    "evaluate-threshold": (
        "evaluate german_credit_scores.csv --positive 1 --threshold 0.5 --systems rf"
    ),
    "evaluate-slices": "evaluate slices.csv",
    "evaluate-clusters": "evaluate clusters.csv",
    "evaluate-weights": "evaluate weights.csv",
    "evaluate-weighted-scores": "evaluate weighted_scores.csv --positive 1",
    "evaluate-repeats": f"evaluate {REPEATS} --pass-at 1,4",
    "evaluate-repeats-items": (f"evaluate {REPEATS} --pass-at 1 --estimand items"),
    "evaluate-long": "evaluate long.csv --system system --called called",
    "evaluate-apart": "evaluate apart.csv --system system --called called --pairing independent",
    "evaluate-joined": "evaluate cnn=cnn.csv svm=svm.csv",
    "evaluate-benchmark": "evaluate slices.csv --group '' --systems cnn --benchmark 14042",
    "evaluate-log": "evaluate alpha.eval --scorer match",
    "evaluate-useless": "evaluate --confusion '0,50;0,4950' --classes ill,well",
    "evaluate-paradox": "evaluate --confusion '81,9;6,4' --classes yes,no",
    "evaluate-asked": (
        "evaluate --confusion '80,20;45,855' --classes ill,well --positive ill --prevalence 0.01 "
        "--cost fn=10 --average macro,weighted --method clopper-pearson"
    ),
    "evaluate-cost-table": (
        "evaluate --confusion '80,20;45,855' --classes a,b --cost costs.csv --kappa-method ase1"
    ),
    "evaluate-one-class": "evaluate one_class.csv --positive yes",
    "evaluate-excluded": "evaluate gaps.jsonl --missing exclude --unlabelled exclude",
    "evaluate-refused": "evaluate gaps.jsonl",
    "evaluate-odd-names": "evaluate odd.csv",
    "evaluate-details": "evaluate german_credit_scores.csv --positive 1 --details",
    "evaluate-csv": "evaluate slices.csv --csv",
    "evaluate-values": f"evaluate {GRADES} --range 1,5 --group topic",
    "evaluate-values-of-data-sets": "evaluate dataset_results.csv --value forest,svm",
    "evaluate-ratios": f"evaluate {SPEECH} --cluster speaker",
    # --- compare
    "compare-values": f"compare {GRADES} --group topic --by-group --margin 0.5",
    "compare-values-cut": f"compare {GRADES} --threshold 4",
    "compare-ratios": f"compare {SPEECH} --cluster speaker --methods-text",
    "compare-readers": "compare readers.csv --reader reader --positive 1",
    "compare-datasets": "compare dataset_results.csv --layout datasets --lower-is-better",
    "compare-values-refused": "compare judge_grades.csv --value alpha,topic",
    "compare-digits": "compare digits_labels.csv",
    "compare-details": "compare digits_labels.csv --details",
    "compare-published": "compare --accuracy S=87.3%,T=83.4% --tested 1319",
    "compare-published-common": (
        "compare --accuracy S=87.3%,T=85.1%,U=79% --tested 1319 --pairing common"
    ),
    "compare-areas-by-slice": f"compare {SPECIES} --group SPECIES",
    "compare-letters": "compare letter_labels.csv",
    "compare-cancer": "compare wdbc_scores.csv --positive 1",
    "compare-credit": "compare german_credit_scores.csv --positive 1",
    "compare-cells": "compare cells_scores.csv --positive 1",
    "compare-folds": "compare cells_cv10.csv --positive 1",
    "compare-diamonds": "compare diamonds_ordinal_labels.csv",
    "compare-species": f"compare {SPECIES} --group SPECIES --threshold 0.5 --by-group",
    "compare-vectors": (
        "compare logreg=digits_scores_logreg.csv rf=digits_scores_rf.csv --vector 'p{class}'"
    ),
    "compare-twelve": "compare twelve.csv",
    "compare-slices": "compare slices.csv --by-group",
    "compare-clusters": "compare clusters.csv",
    "compare-weights": "compare weights.csv",
    "compare-weighted-scores": "compare weighted_scores.csv --positive 1",
    "compare-repeats": f"compare {REPEATS}",
    "compare-repeats-items": f"compare {REPEATS} --estimand items",
    "compare-long": "compare long.csv --system system --called called",
    "compare-apart": "compare apart.csv --system system --called called --pairing independent",
    "compare-joined": "compare cnn=cnn.csv svm=svm.csv",
    "compare-logs": "compare alpha.eval beta.eval --scorer match",
    "compare-problems": PROBLEMS,
    "compare-two-different": f"compare {PAIR}",
    "compare-two-undecided": "compare --paired cnn=8,svm=5,both=160,neither=27",
    "compare-two-identical": "compare --paired cnn=0,svm=0,both=160,neither=40",
    "compare-three-identical": "compare three_identical.csv --outcome a,b,c",
    "compare-akaike-alone": "compare --paired cnn=14,svm=6,both=60,neither=20",
    "compare-from-a-paper": "compare --correct S=190,T=194 --tested 200",
    "compare-totals": "compare --correct S=190,T=194,U=170 --tested 200 --pairing common",
    "compare-margin": "compare --paired cnn=8,svm=5,both=1600,neither=27 --margin 0.01",
    "compare-margin-many": "compare letter_labels.csv --systems rf,svm,knn3 --margin 0.03",
    "compare-prior": "compare --correct S=190,T=194 --tested 200 --prior T=1900:10",
    "compare-measure": "compare letter_labels.csv --systems rf,svm --measure 'macro f1'",
    "compare-methods-text": f"compare {PAIR} --methods-text",
    "compare-odd-names": "compare odd.csv",
    "compare-nothing": "compare",
    "compare-csv": f"compare {PAIR} --csv",
    # --- every method of compare
    "method-paired-t": f"compare {GRADES} --method paired-t",
    "method-mapsswe": f"compare {SPEECH} --method mapsswe",
    "method-win-rate": f"compare {GRADES} --method win-rate",
    "method-sign": f"compare {GRADES} --method sign",
    "method-wilcoxon-items": f"compare {GRADES} --method wilcoxon-items",
    "method-permutation-items": f"compare {GRADES} --method permutation-items",
    "method-list": f"compare {PAIR} --method list",
    "method-point": f"compare {PAIR} --method point",
    "method-non-overlap": f"compare {PAIR} --method non-overlap",
    "method-tango": f"compare {PAIR} --method tango",
    "method-newcombe-paired": f"compare {PAIR} --method newcombe-paired",
    "method-bonett-price": f"compare {PAIR} --method bonett-price",
    "method-wald-difference-paired": f"compare {PAIR} --method wald-difference-paired",
    "method-ratio": f"compare {PAIR} --method ratio",
    "method-odds-discordant": f"compare {PAIR} --method odds-discordant",
    "method-mcnemar-midp": f"compare {PAIR} --method mcnemar-midp",
    "method-mcnemar-exact": f"compare {PAIR} --method mcnemar-exact",
    "method-mcnemar-asymptotic": f"compare {PAIR} --method mcnemar-asymptotic",
    "method-cochran-q": "compare slices.csv --method cochran-q",
    "method-control": "compare slices.csv --method control --using control=svm",
    "method-with-best": "compare slices.csv --method with-best",
    "method-bowker": "compare slices.csv --method bowker",
    "method-stuart-maxwell": "compare slices.csv --method stuart-maxwell",
    "method-bootstrap": "compare slices.csv --method bootstrap --measure f1 --positive 1",
    "method-guarded": "compare slices.csv --method guarded --measure f1 --positive 1",
    "method-paired-shares": (
        "compare slices.csv --method paired-shares --measure recall --positive 1"
    ),
    "method-permutation": "compare slices.csv --method permutation --measure f1 --positive 1",
    "method-akaike-common": f"compare {PAIR} --method akaike-common",
    "method-akaike-totals": f"compare {PAIR} --method akaike-totals",
    "method-posterior-best": f"compare {PAIR} --method posterior-best",
    "method-posterior-alike": f"compare {PAIR} --method posterior-alike",
    "method-posterior-rank": "compare slices.csv --method posterior-rank",
    "method-posterior-ranking": "compare slices.csv --method posterior-ranking",
    "method-posterior-better": f"compare {PAIR} --method posterior-better",
    "method-expected-loss": f"compare {PAIR} --method expected-loss",
    "method-credible-interval": f"compare {PAIR} --method credible-interval",
    "method-wald": f"compare {PAIR} --method wald",
    "method-wald-lead": f"compare {PAIR} --method wald-lead",
    "method-wald-msrb-a": "compare slices.csv --method wald-msrb-a --using order=random",
    "method-wald-msrb-b": "compare slices.csv --method wald-msrb-b --using order=random",
    "method-e-process": f"compare {PAIR} --method e-process",
    "method-closed-testing": "compare slices.csv --method closed-testing",
    "method-confidence-sequence": f"compare {PAIR} --method confidence-sequence",
    "method-betting": "compare slices.csv --systems cnn,svm --method betting --using order=random",
    "method-miettinen-nurminen": f"compare {PAPER} --method miettinen-nurminen",
    "method-newcombe": f"compare {PAPER} --method newcombe",
    "method-mee": f"compare {PAPER} --method mee",
    "method-agresti-caffo": f"compare {PAPER} --method agresti-caffo",
    "method-wald-difference": f"compare {PAPER} --method wald-difference",
    "method-odds-ratio": f"compare {PAPER} --method odds-ratio",
    "method-equivalence": f"compare {PAIR} --method equivalence --margin 0.15",
    "method-non-inferiority": f"compare {PAIR} --method non-inferiority --margin 0.05",
    "method-mcnemar-stratified": "compare slices.csv --method mcnemar-stratified",
    "method-mcnemar-clustered": "compare clusters.csv --method mcnemar-clustered",
    "method-mcnemar-durkalski": "compare clusters.csv --method mcnemar-durkalski",
    "method-fisher": f"compare {PAPER} --method fisher",
    "method-boschloo": f"compare {PAPER} --method boschloo",
    "method-barnard": f"compare {PAPER} --method barnard",
    "method-score": f"compare {PAPER} --method score",
    "method-k-sample": f"compare {PAPER} --method k-sample",
    "method-sensitivity-specificity": (
        "compare slices.csv --method sensitivity-specificity --positive 1"
    ),
    "method-predictive-values": "compare slices.csv --method predictive-values --positive 1",
    "method-delong": "compare wdbc_scores.csv --positive 1 --systems nb,tree,rf --method delong",
    "method-placement": "compare wdbc_scores.csv --positive 1 --systems nb,tree --method placement",
    "method-akaike-independent": f"compare {PAPER} --method akaike-independent",
    "method-akaike-tiers": f"compare {PAPER} --method akaike-tiers",
    "method-posterior-product": f"compare {PAPER} --method posterior-product",
    "method-posterior-equivalence": f"compare {PAIR} --method posterior-equivalence --margin 0.05",
    "method-selection": f"compare {PAPER} --method selection",
    "method-subset": f"compare {PAPER} --method subset",
    "method-friedman": f"{PROBLEMS} --method friedman",
    "method-nemenyi": f"{PROBLEMS} --method nemenyi",
    "method-wilcoxon": f"{PROBLEMS} --method wilcoxon",
    "method-bayesian-signed-rank": f"{PROBLEMS} --method bayesian-signed-rank --margin 0.01",
    "method-nadeau-bengio": (
        "compare cells_cv10.csv --positive 1 --threshold 0.5 --method nadeau-bengio"
    ),
    "method-correlated-t": (
        "compare cells_cv10.csv --positive 1 --threshold 0.5 --method correlated-t --margin 0.01"
    ),
    "method-hierarchical": "compare problems.csv --method hierarchical --margin 0.01",
    "method-not-valid": f"compare {PAIR} --method friedman",
    # --- gate
    "gate-ratios": (
        f"gate {SPEECH} --cluster speaker --candidate conformer --baseline hybrid "
        "--require 'better by 0.005'"
    ),
    "gate-passes": (
        "gate digits_labels.csv --candidate svm --baseline nb --require 'not worse by 0.01'"
    ),
    "gate-fails": (
        "gate digits_labels.csv --candidate nb --baseline svm --require 'not worse by 0.01'"
    ),
    "gate-undecided": (
        "gate digits_labels.csv --candidate rf --baseline knn3 --require 'same within 0.01'"
    ),
    "gate-several": (
        "gate digits_labels.csv --candidate svm --baseline logreg --require 'better by 0.01' "
        "--require 'recall of 8 not worse by 1%' --require 'macro F1 better by 5%'"
    ),
    "gate-files": "gate cnn.csv --baseline svm.csv --require better",
    "gate-clusters": "gate clusters.csv --candidate cnn --baseline nb --require better",
    "gate-weights": "gate weights.csv --candidate cnn --baseline nb --require better",
    "gate-repeats": (f"gate {REPEATS} --candidate coached --baseline plain --require better"),
    "gate-area": (
        "gate wdbc_scores.csv --positive 1 --candidate rf --baseline tree --require 'auc better'"
    ),
    "gate-benchmark": (
        "gate slices.csv --group '' --candidate cnn --baseline nb --benchmark 1000 "
        "--require 'better by 0.1'"
    ),
    "gate-claim": (
        "gate digits_labels.csv --candidate svm --claim 'accuracy at least 0.95' "
        "--claim 'recall of 8 at least 0.95'"
    ),
    "gate-claim-and-baseline": (
        "gate digits_labels.csv --candidate svm --baseline nb --require 'not worse by 0.01' "
        "--claim 'macro F1 at least 0.99'"
    ),
    "gate-claim-curve": (
        "gate wdbc_scores.csv --positive 1 --candidate rf --claim 'P_FA at most 0.05 at P_D 0.9'"
    ),
    "gate-claim-events": (
        "gate --false-alarms 3 --exposure 12h --claim 'false alarms at most 0.5 per hour'"
    ),
    "evaluate-exposure": "evaluate clusters.csv --systems cnn --positive 1 --exposure '90 min'",
    "evaluate-events": "evaluate --false-alarms new=3,old=14 --exposure 12h",
    "gate-logs": "gate alpha.eval --baseline beta.eval --scorer match --require better",
    # --- plan, each question
    "plan-value": f"plan value --pilot {GRADES}",
    "plan-value-width": "plan value --spread 0.9 --width 0.1",
    "plan-best": "plan best --rates S=0.90,T=0.88,U=0.86 --samples 500",
    "plan-ranking": "plan ranking --rates 0.9,0.85,0.8 --confidence 0.9",
    "plan-paired": "plan best --rates cnn=0.9,svm=0.88 --discordance 0.06 --cost-per-sample 0.25",
    "plan-pair": "plan pair --rates cnn=0.9,svm=0.88 --design paired",
    "plan-margin": "plan pair --rates 0.9,0.9 --margin 0.03",
    "plan-every-pair": "plan pair --rates 0.9,0.85,0.7",
    "plan-bonferroni": "plan pair --rates 0.9,0.85,0.7 --multiplicity bonferroni",
    "plan-width": "plan width --rates 0.9 --width 0.04",
    "plan-select": "plan select --rates 0.9,0.85,0.85 --delta 0.05 --samples 200",
    "plan-select-inverse": "plan select --among 5 --samples 500",
    "plan-area": "plan area --rates 0.8 --null 0.7 --prevalence 0.3",
    "plan-areas": "plan area --rates 0.85,0.8 --design paired --cost-per-sample 0.5",
    "plan-area-width": "plan area --rates 0.9 --width 0.1",
    "plan-kappa": "plan kappa --rates 0.6 --null 0.4 --samples 100",
    "plan-readers": (
        "plan readers --pilot readers.csv --reader reader --positive 1 --difference 0.05"
    ),
    "plan-akaike": "plan akaike --rates 0.95,0.97 --both 0.945",
    "plan-stop": "plan stop --rates cnn=0.9,svm=0.84 --discordance 0.12 --every 5",
    "plan-stop-several": "plan stop --rates 0.9,0.8,0.6",
    "plan-clusters": "plan best --rates 0.9,0.85 --cluster-size 20 --icc 0.1 --cost-per-sample 1",
    "plan-trials": "plan pair --rates 0.9,0.85 --trials 5 --icc 0.5",
    "plan-not-inferior": (
        "plan pair --rates 0.9,0.9 --margin 0.03 --claim not-inferior --discordance 0.06"
    ),
    "plan-shares": "plan best --rates S=0.9,T=0.85 --shares S=3,T=1",
    "plan-prior": "plan best --rates S=0.9,T=0.88 --prior S=190:10,T=1:1",
    "plan-beyond": "plan best --rates 0.9,0.8999",
    "plan-accept": "plan accept --claim 'P_D at least 0.9' --rates 0.95",
    "plan-accept-nothing-fails": "plan accept --claim 'accuracy at least 0.99'",
    "plan-accept-events": "plan accept --claim 'false alarms at most 2 per hour' --rates 0.5",
    "plan-more": "plan more digits_labels.csv",
    "plan-more-areas": "plan more german_credit_scores.csv --positive 1",
    "plan-more-apart": (
        "plan more apart.csv --system system --called called --pairing independent"
    ),
    "plan-pilot": "plan best --pilot letter_labels.csv --samples 500",
    "plan-pilot-area": (
        "plan area --pilot german_credit_scores.csv --positive 1 --systems rf,rpart"
    ),
    "plan-old-spelling": "plan --rates 0.9,0.85,0.7 --question pair",
    "plan-table": "plan table 1",
    # --- scores of one system
    "threshold-kappa": "threshold german_credit_scores.csv --positive 1 --score rf --resamples 200",
    "threshold-cost": (
        "threshold cells_scores.csv --positive 1 --score rf --by min-cost --cost fn=5,fp=1 "
        "--resamples 200"
    ),
    "threshold-sensitivity": (
        "threshold wdbc_scores.csv --positive 1 --score nb --by sensitivity --sensitivity 0.99"
    ),
    "threshold-fixed": (
        "threshold german_credit_scores.csv --positive 1 --score rpart --by fixed --threshold 0.5 "
        "--resamples 0"
    ),
    "threshold-folds": "threshold cells_cv10.csv --positive 1 --score rf --resamples 100",
    "threshold-species": f"threshold {SPECIES} --score GAM --resamples 0",
    "threshold-weights": (
        "threshold weighted_scores.csv --unweighted --positive 1 --score cnn --resamples 100"
    ),
    "threshold-presence-only": (
        "threshold one_class.csv --positive yes --score s --by lowest-positive"
    ),
    "threshold-none": "threshold one_class.csv --positive yes --score s",
    "threshold-ties": "threshold ties.csv --positive ship --score score",
    "roc-lookups": (
        "roc german_credit_scores.csv --positive 1 --systems rf,gbm --at pfa=0.1 "
        "--at threshold=0.5 --at flagged=100 --partial pfa:0:0.2 --cost fn=5 --prevalence 0.1 "
        "--resamples 200"
    ),
    "roc-cancer": "roc wdbc_scores.csv --positive 1 --systems nb,tree --thresholds linear:20",
    "roc-folds": (
        "roc cells_cv10.csv --positive 1 --score rf --thresholds linear:20 "
        "--average false-alarm-rate,pooled --resamples 0"
    ),
    "roc-folds-threshold": (
        "roc cells_cv10.csv --positive 1 --score rf --average threshold --average-at 0.2,0.5,0.8 "
        "--thresholds pfa:0.01,0.05 --rounding ceil --resamples 0"
    ),
    "roc-weights": "roc weighted_scores.csv --unweighted --positive 1 --resamples 100",
    "roc-classes": (
        "roc digits_scores_logreg.csv --vector 'logreg=p{class}' --band none --resamples 0 "
        "--points 50"
    ),
    "calibration-two": (
        "calibration german_credit_scores.csv --positive 1 --systems rf,gbm --bins 5"
    ),
    "calibration-one": (
        "calibration wdbc_scores.csv --positive 1 --systems nb --binning width --bins 4"
    ),
    "calibration-vectors": (
        "calibration logreg=digits_scores_logreg.csv rf=digits_scores_rf.csv --vector 'p{class}'"
    ),
    "calibration-class-weights": (
        "calibration three_classes.csv --vector 'cnn=p{class}' --vector 'svm=q{class}' "
        "--class-weights cat=0.5,dog=0.25,cow=0.25"
    ),
    "calibration-cells": "calibration cells_scores.csv --positive 1 --systems rf,svm",
    "targeting-budget": (
        "targeting german_credit_scores.csv --positive 1 --systems rf,gbm --budget 100 "
        "--net-benefit 0.1,0.2,0.3,0.5"
    ),
    "targeting-one": "targeting wdbc_scores.csv --positive 1 --systems nb --share 0.25",
    "targeting-weights": "targeting weighted_scores.csv --unweighted --positive 1 --systems cnn",
    "targeting-species": f"targeting {SPECIES} --systems GAM --by percentiles",
    # --- agreement, models, catalogue, demo
    "agreement-two": "agreement two_raters.csv",
    "agreement-many": "agreement digits_labels.csv --raters svm,nb,tree --truth truth",
    "agreement-ordered": (
        "agreement diamonds_ordinal_labels.csv --raters polr,rf --weights quadratic"
    ),
    "agreement-missing": "agreement raters.jsonl",
    "agreement-letters": "agreement letter_labels.csv --raters rf,svm --kappa-method ase1",
    "models": (
        "models --model poisson=llf:-120.5,k:3,n:100 "
        "--model 'negative binomial=llf:-119.0,k:4,n:100' --model saturated=llf:-90.0,k:99,n:100"
    ),
    "models-bic": (
        "models --model A=llf:-120.5,k:3,n:100 --model B=llf:-121.0,k:5,n:100 --criterion bic"
    ),
    "catalogue": "catalogue",
    "catalogue-some": "catalogue sensitivity MCC",
    "demo-list": "demo --list",
    "demo": "demo",
    "demo-species": "demo species",
    "help": "--help",
    # --- campaign
    "campaign-claim": (
        "campaign new radar.db --systems new --stop \"claim(new, 'accuracy at least 0.9') or "
        'n >= 600" --not-simulated\ncampaign add radar.db radar_ships.csv --systems new '
        "--outcome new"
    ),
    "campaign-claim-simulated": (
        "campaign new radar.db --systems new --stop \"claim(new, 'accuracy at least 0.9') or "
        'n >= 600"\ncampaign simulate radar.db --campaigns 200'
    ),
    "compare-items": "compare digits_labels.csv --systems svm,knn3 --items f.csv --flips svm,knn3",
    "compare-missing": "compare gaps.jsonl --missing exclude --unlabelled exclude",
    "evaluate-crossed": (
        "evaluate pairs.csv --systems matcher --positive same --cluster probe,gallery"
    ),
    "evaluate-radar": (
        "evaluate radar_scans.csv --positive ship --exposure hours --cluster watch --systems new"
    ),
    "compare-radar": "compare radar_scans.csv --systems new,old --cluster watch",
    "evaluate-radar-ships": "evaluate radar_ships.csv --outcome new,old",
    "compare-radar-ships": "compare radar_ships.csv --outcome new,old",
    "gate-radar": (
        "gate radar_scans.csv --positive ship --candidate new --exposure hours --cluster watch "
        "--claim 'recall of ship at least 0.90' --claim 'false alarms at most 2 per hour'"
    ),
    "campaign-new": f"{NEW} {STOP}",
    "campaign-level": f"{NEW} {STOP}\n{ADD_LEVEL}",
    "campaign-stop": f"{NEW} {STOP}\n{ADD_LEAD}\ncampaign status radar.db",
    "campaign-go-on": (
        f"{NEW} --stop 'best >= 0.999 or n >= 100' --not-simulated\n{ADD_LEAD}\n"
        "campaign next radar.db"
    ),
    "campaign-used-up": f"{NEW} --stop 'best >= 0.999 or n >= 8' --not-simulated\n{ADD_LEAD}",
    "campaign-budget": (
        f"{NEW} --stop 'best >= 0.999' --budget 30 --not-simulated\n{ADD_LEAD}\n"
        "campaign status radar.db"
    ),
    "campaign-no-difference": (
        f"{NEW} --stop 'double-wald(0.9)' --not-simulated\n"
        "campaign add radar.db level40.csv --outcome cnn,svm"
    ),
    "campaign-waiting": (
        f"{NEW} --stop 'evidence >= 20 or n >= 50' --not-simulated\n{ADD_HALF}\n"
        "campaign next radar.db"
    ),
    "campaign-next-apart": (
        f"{NEW} --stop 'best >= 0.99' --pairing independent --order given --not-simulated\n"
        f"{ADD_HALF}\ncampaign next radar.db"
    ),
    "campaign-rule": f"{NEW} --stop 'best >= 0.975 or n >= 500'",
    "campaign-simulate": (
        "campaign new radar.db --systems a,b,c --stop 'racing or n >= 60' --not-simulated\n"
        "campaign simulate radar.db --rates 0.5,0.6,0.95 --campaigns 20"
    ),
    "campaign-history": (
        f"{NEW} {STOP}\n{ADD_LEVEL}\n"
        "campaign add radar.db mended.csv --outcome cnn,svm --correct\n"
        f"{ADD_LEAD} --repeated skip\ncampaign history radar.db"
    ),
    "campaign-repeated": (
        f"{NEW} {STOP}\n{ADD_LEVEL}\ncampaign add radar.db level40.csv --outcome cnn,svm"
    ),
    "campaign-close": (
        f"{NEW} {STOP}\n{ADD_LEVEL}\ncampaign close radar.db\ncampaign status radar.db"
    ),
    "campaign-export": f"{NEW} {STOP}\n{ADD_LEAD}\ncampaign export radar.db",
    "campaign-verify": f"{NEW} {STOP}\n{ADD_LEAD}\ncampaign verify radar.db",
    "campaign-letters": (
        "campaign new letters.db --systems rf,svm,knn3 --stop 'evidence >= 20 or n >= 300' "
        "--not-simulated\ncampaign add letters.db letter_labels.csv --systems rf,svm,knn3"
    ),
    "campaign-report": (
        f"{NEW} {STOP}\n{ADD_LEAD}\ncampaign report radar.db -o out.html\nverify out.html radar.db"
    ),
    # --- reports, and whether they follow from their data
    "report-values": f"report {GRADES} -o out.html\nverify out.html judge_grades.csv",
    "report-digits": "report digits_labels.csv -o out.html\nverify out.html digits_labels.csv",
    "report-credit": (
        "report german_credit_scores.csv --positive 1 --systems rf,glm -o out.html\n"
        "verify out.html german_credit_scores.csv"
    ),
    "report-vectors": ("report digits_scores_logreg.csv --vector 'logreg=p{class}' -o out.html"),
    "report-clusters": "report clusters.csv -o out.html\nverify out.html weights.csv",
    "report-slices": "report slices.csv -o out.html",
    "report-odd-names": "report odd.csv -o out.html",
    "report-markdown": "report weights.csv --format md -o -",
    # --- suites
    "suite-new": "suite new another\nsuite check another --seal 1",
    "suite-leaderboard": "suite leaderboard mine",
    "suite-score": "suite score mine",
    "suite-show": "suite show mine lda example",
    "suite-report": "suite report mine -o out.html\nverify out.html mine",
    "suite-compare-runs": "suite compare-runs mine latest latest",
}
"""What to type, under the name of the kept file."""
