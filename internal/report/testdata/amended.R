# POST HOC: 3 of 4 contrasts.
# What stands apart from the headline is not among the pairs.
# Computes the headline of every contrast again from the pairs that uplift
# wrote: by hand in base R, then with clubSandwich where it is installed. The
# exact sign-flip p is counted again where at most 20 clusters differ, else taken
# as reported; Holm's adjustment of it, and of the p of the interval, is made again
# over the contrasts of each endpoint, and so is the test against a margin where
# the study has one.
#
#   Rscript reproduce.R [pairs.csv]
#
# Without an argument the pairs are those beside this file.
#
# Clusters: task. Level: 0.95.

args <- commandArgs(trailingOnly = TRUE)
self <- sub("^--file=", "", grep("^--file=", commandArgs(trailingOnly = FALSE), value = TRUE))
beside <- if (length(self) > 0) dirname(gsub("~+~", " ", self[1], fixed = TRUE)) else "."
file <- if (length(args) > 0) args[1] else file.path(beside, "pairs.csv")
level <- 0.95
pairs <- read.csv(file, colClasses = "character", na.strings = character(0),
                  check.names = FALSE, encoding = "UTF-8")
pairs$difference <- as.numeric(pairs$score_condition) - as.numeric(pairs$score_reference)

# CR2 variance of a mean with Satterthwaite degrees of freedom: cluster g has
# n_g of the n pairs, p_g = n_g / n, and U_g is its sum of deviations.
cr2 <- function(d, cluster, level) {
  n <- length(d)
  n_g <- as.numeric(tapply(d, cluster, length))
  u_g <- as.numeric(tapply(d - mean(d), cluster, sum))
  p_g <- n_g / n
  a_g <- n_g^2 / (1 - p_g)
  se <- sqrt(sum(u_g^2 / (1 - p_g))) / n
  df <- n^-2 / (sum(n_g^2) / n^4 + (sum(a_g)^2 - sum(a_g^2)) / n^6)
  half <- qt(1 - (1 - level) / 2, df) * se
  c(pairs = n, clusters = length(n_g), difference = mean(d), se = se, df = df,
    lo = mean(d) - half, hi = mean(d) + half,
    p = 2 * pt(-abs(mean(d) / se), df))
}

# p of non-inferiority: H0 says worse by the margin or more.
not_worse <- function(fit, margin, lower_is_better) {
  sign <- if (lower_is_better) -1 else 1
  pt((margin + sign * fit[["difference"]]) / fit[["se"]], fit[["df"]], lower.tail = FALSE)
}

# Exact sign-flip p: the share of all sign patterns of the clusters' sums that
# lie at least as far from 0 as the sum itself; NA beyond 2^20 patterns.
sign_flip <- function(d, cluster) {
  s_g <- as.numeric(tapply(d, cluster, sum))
  slack <- 1e-9 * sum(abs(s_g))
  s_g <- s_g[abs(s_g) > slack]
  if (length(s_g) == 0) return(1)
  if (length(s_g) > 20) return(NA)
  sums <- 0
  for (s in s_g) sums <- c(sums + s, sums - s)
  mean(abs(sums) >= abs(sum(s_g)) - slack)
}

# What uplift reported, in the order of the pairs; NA where a guard withholds
# it, where the sign-flip p is not exact, and where there is no margin.
reported <- data.frame(
  difference = c(-0.07099999999999995, -0.25100000000000006, -0.02100000000000002, -0.43400000000000005),
  lo = c(-0.12299999999999994, -0.36900000000000005, -0.05200000000000002, -0.5650000000000001),
  hi = c(-0.018999999999999954, -0.13300000000000006, 0.009999999999999981, -0.30300000000000005),
  p = c(0.009, 0.001, 0.164, 0.0005),
  sign_flip = c(0.009, 0.001, 0.164, 0.0005),
  holm = c(0.018, 0.001, 0.164, 0.001),
  holm_cr2 = c(0.0144, 0.0008, 0.1312, 0.0008),
  family = c(2, 2, 2, 2),
  margin = c(0.05, NA, 0.05, NA),
  lower_is_better = c(FALSE, TRUE, FALSE, TRUE),
  not_worse = c(0.803, NA, 0.031, NA))

key <- do.call(paste, c(pairs[c("model", "condition", "reference", "endpoint")], sep = "\r"))
parts <- split(pairs, factor(key, levels = unique(key)))
stopifnot(length(parts) == nrow(reported))
worst <- 0
flip <- rep(1, length(parts))  # a p that is withheld keeps its place as 1
own <- rep(1, length(parts))
endpoint <- vapply(parts, function(part) part$endpoint[1], "")
for (i in seq_along(parts)) {
  part <- parts[[i]]
  cat(part$model[1], ": ", part$condition[1], " - ", part$reference[1], ", ", part$endpoint[1], "\n", sep = "")
  p <- sign_flip(part$difference, part$task)
  cat("  sign-flip p", if (is.na(p)) "not counted: more than 20 clusters differ" else format(p, digits = 15), "\n")
  worst <- max(worst, abs(p - reported$p[i]), na.rm = TRUE)
  if (!is.na(reported$holm[i])) flip[i] <- if (is.na(p)) reported$sign_flip[i] else p
  if (length(unique(part$task)) < 2) {
    cat("  one cluster: no interval\n")
    next
  }
  mine <- cr2(part$difference, part$task, level)
  print(mine, digits = 15)
  if (!is.na(reported$holm_cr2[i])) own[i] <- mine[["p"]]
  if (!is.na(reported$margin[i])) {
    p <- not_worse(mine, reported$margin[i], reported$lower_is_better[i])
    cat("  not worse by", reported$margin[i], "or more: p", format(p, digits = 15), "\n")
    worst <- max(worst, abs(p - reported$not_worse[i]), na.rm = TRUE)
  }
  off <- abs(mine[c("difference", "lo", "hi")] - unlist(reported[i, c("difference", "lo", "hi")]))
  worst <- max(worst, off, na.rm = TRUE)

  if (requireNamespace("clubSandwich", quietly = TRUE)) {
    fit <- lm(difference ~ 1, data = part)
    print(clubSandwich::conf_int(fit, vcov = "CR2", cluster = part$task, level = level,
                                 test = "Satterthwaite"), digits = 15)
  }
}
for (e in unique(endpoint)) {
  of <- endpoint == e
  k <- max(sum(of), reported$family[of], na.rm = TRUE)  # what was planned and has no pairs counts with p = 1
  cat("Holm over the ", k, " contrasts of ", e, "\n", sep = "")
  for (of_p in list(list("sign-flip p", flip, reported$holm), list("p of the interval", own, reported$holm_cr2))) {
    holm <- p.adjust(of_p[[2]][of], "holm", n = k)
    cat("  ", of_p[[1]], ": ", paste(format(holm, digits = 15), collapse = " "), "\n", sep = "")
    worst <- max(worst, abs(holm - of_p[[3]][of]), na.rm = TRUE)
  }
}
cat("largest distance from what uplift reported:", format(worst, digits = 3), "\n")
if (worst > 1e-9) quit(status = 1)
