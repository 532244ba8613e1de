library(gpa)

# A model file: the numbers are those of the command, which GPA names.
examples <- Sys.getenv("GPA_EXAMPLES")
command <- Sys.getenv("GPA")
if (nzchar(command)) {
  data <- read.csv(file.path(examples, "spoilt.csv"))
  model <- file.path(examples, "model.json")
  e <- explain(model, data, "progression", rows = 11, freeze = c("age", "sex"))
  said <- system2(command, c("explain", "--model", model, "--target", "progression", "--rows", "10",
                             "--freeze", "age,sex", "--csv", file.path(examples, "spoilt.csv")),
                  stdout = TRUE)
  want <- read.csv(text = said)
  got <- as.data.frame(e)
  stopifnot(identical(got$responsible, want$responsible), got$ids[1] == 11,
            identical(got$value_normal, want$value_normal), identical(got$delta, want$delta),
            want$feature[which.max(want$responsible)] == "bmi")
  stopifnot(grepl("row 11: bmi is 27.1 too high", gsub("\\s+", " ", e$text)))
  page <- write_html(e, tempfile(fileext = ".html"))
  stopifnot(file.size(page) > 5000, grepl("<html", readChar(page, 200)))
}

# A function with a factor: y = a + 10 [group is c], and the group of row 5 is wrong.
set.seed(1)
n <- 200
d <- data.frame(a = rnorm(n), group = factor(sample(c("b", "c", "d"), n, TRUE)),
                odd = rnorm(n) > 0)
truth <- function(rows) {
  stopifnot(is.factor(rows$group), is.logical(rows$odd), !anyNA(rows$group),
            identical(levels(rows$group), c("b", "c", "d")))
  rows$a + 10 * (rows$group == "c")
}
d$y <- truth(d) + rnorm(n, sd = 0.3)
d$group[5] <- "d"
d$a[5] <- 0
d$y[5] <- 10
e <- explain(truth, d, "y", rows = 5)
print(e)
f <- as.data.frame(e)
stopifnot(f$feature[which.max(f$responsible)] == "group",
          f$level_normal[f$feature == "group"] == "c", max(f$responsible, na.rm = TRUE) > 0.8)
# the same again; the worst row is found; row names are names
stopifnot(identical(explain(truth, d, "y", rows = 5)$json, e$json))
stopifnot(as.data.frame(explain(truth, d))$ids[1] == 5)

# What predict() takes, row names, and a picture.
fit <- lm(mpg ~ wt + hp + qsec, mtcars)
spoilt <- mtcars[c("wt", "hp", "qsec", "mpg")]
spoilt["Fiat 128", "wt"] <- 4.9
e <- explain(fit, spoilt, "mpg", rows = "Fiat 128")
f <- as.data.frame(e)
stopifnot(f$feature[which.max(f$responsible)] == "wt", f$ids[1] == "Fiat 128")
picture <- tempfile(fileext = ".pdf")
pdf(picture, 9, 4)
plot(e)
invisible(dev.off())
stopifnot(file.size(picture) > 2000)

# Errors are one line of R's, and nothing is left half done.
fails <- function(pattern, expression) {
  said <- tryCatch({ expression; "nothing" }, error = conditionMessage)
  if (!grepl(pattern, said)) stop("expected ", pattern, ", not: ", said)
}
fails("no such luck", explain(function(rows) stop("no such luck"), d, "y"))
fails("1 predictions for", explain(function(rows) 1, d, "y"))
fails("there is no row 300", explain(truth, d, "y", rows = 300))
fails("no column 'z'", explain(truth, d, "z"))
fails("solver", explain(truth, d, "y", solver = "slow"))
fails("tpo|top", explain(truth, d, "y", tpo = 3))
cat("all good\n")
