# A column as the library takes it: numbers, or text.
as_column <- function(x) {
  if (is.factor(x) || is.character(x)) enc2utf8(as.character(x)) else as.double(x)
}

# Numbers of the library's as a column like this one of the caller's.
like <- function(x, column, levels) {
  if (!is.null(levels)) {
    x <- names(levels)[match(x, levels)]
    if (is.factor(column)) factor(x, base::levels(column), ordered = is.ordered(column)) else x
  } else if (is.logical(column)) as.logical(x)
  else if (inherits(column, "Date")) as.Date(x, origin = "1970-01-01")
  else x
}

# The model as a function of a matrix: predictions, or what went wrong as text.
as_function <- function(model, inputs) {
  ask <- if (is.function(model)) model else function(rows) predict(model, newdata = rows)
  function(x, levels) tryCatch({
    rows <- lapply(seq_along(inputs), function(k) like(x[, k], inputs[[k]], levels[[k]]))
    names(rows) <- names(inputs)
    rows <- as.data.frame(rows, optional = TRUE, stringsAsFactors = FALSE)
    y <- as.double(ask(rows))
    if (length(y) != nrow(rows))
      stop(sprintf("it gave %d predictions for %d rows", length(y), nrow(rows)))
    y
  }, error = function(e) conditionMessage(e))
}

# One option as the texts that the library is told: a named vector is one text per name.
option_values <- function(value) {
  if (isTRUE(value)) ""
  else if (identical(value, FALSE) || is.null(value)) character()
  else if (!is.null(names(value))) paste0(names(value), "=", value)
  else if (is.numeric(value)) paste(format(value, digits = 17, trim = TRUE, scientific = FALSE,
                                           drop0trailing = TRUE), collapse = ",")
  else paste(value, collapse = ",")
}

# Rows by their numbers from 1, or by their names, to the library's numbers from 0.
row_numbers <- function(rows, names) {
  found <- if (is.character(rows)) match(rows, names) else as.integer(rows)
  if (anyNA(found) || any(found < 1 | found > length(names)))
    stop("rows: there is no row ", rows[is.na(found) | found < 1 | found > length(names)][1])
  found - 1L
}

explain <- function(model, data, target, ..., rows = NULL) {
  data <- as.data.frame(data, stringsAsFactors = FALSE)
  if (nrow(data) == 0) stop("data has no rows")
  if (missing(target)) target <- names(data)[ncol(data)]
  if (!target %in% names(data)) stop("target: there is no column '", target, "'")
  given <- lapply(list(...), option_values)
  names(given) <- gsub("[._]", "-", names(given))
  id <- "row"
  while (id %in% names(data)) id <- paste0(".", id)
  columns <- c(stats::setNames(list(rownames(data)), id), lapply(data, as_column))
  given <- c(list(target = target, id = id), given)
  called <- NULL
  if (is.character(model)) {
    given$model <- model
  } else {
    dropped <- c(target, unlist(strsplit(as.character(given$drop), ",")))
    chosen <- unlist(strsplit(as.character(given$features), ","))
    inputs <- if (length(chosen)) data[chosen] else data[setdiff(names(data), dropped)]
    called <- as_function(model, inputs)
    given$model <- "R function"
    given$threads <- "1" # R is asked here, and nowhere else
    if (is.null(given$marginals)) given$marginals <- "surrogate"
  }
  if (!is.null(rows)) given$rows <- paste(row_numbers(rows, rownames(data)), collapse = ",")
  texts <- .Call(r_explain, columns, rep(names(given), lengths(given)),
                 enc2utf8(as.character(unlist(given, use.names = FALSE))), called)
  inputs <- read.csv(text = texts[2], check.names = FALSE, encoding = "UTF-8")
  if (is.numeric(inputs$rows)) inputs$rows <- inputs$rows + 1L # as R counts
  texts[1] <- gsub("(?m)^row \\d+ \\((.*?)\\):", "row \\1:", texts[1], perl = TRUE)
  structure(list(text = texts[1], inputs = inputs, json = texts[3], html = texts[4]),
            class = "gpa_explanation")
}

print.gpa_explanation <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

as.data.frame.gpa_explanation <- function(x, ...) x$inputs

write_html <- function(x, file) {
  connection <- file(file, "wb")
  on.exit(close(connection))
  writeBin(charToRaw(enc2utf8(x$html)), connection)
  invisible(file)
}

# Who is responsible, and what would look normal beside what is, in units of its interval.
plot.gpa_explanation <- function(x, which = 1, ...) {
  all <- split(x$inputs, factor(x$inputs$ids, unique(x$inputs$ids)))
  one <- all[[which]]
  one <- one[order(one$responsible, na.last = FALSE), ]
  k <- seq_len(nrow(one))
  old <- par(mfrow = c(1, 2), mar = c(4, 7, 3, 1))
  on.exit(par(old))
  share <- ifelse(is.na(one$responsible), 0, 100 * one$responsible)
  at <- barplot(share, horiz = TRUE, names.arg = one$feature, las = 1, xlim = c(0, 100),
                xlab = "responsible, %", main = paste("row", names(all)[which]), border = NA,
                col = "#4477aa")
  half <- (one$value_high - one$value_low) / 2
  shift <- (one$value_normal - one$x) / half
  low <- (one$value_low - one$x) / half
  high <- (one$value_high - one$x) / half
  range <- range(c(0, low, high), finite = TRUE)
  plot(shift, at, xlim = range, ylim = range(at), yaxt = "n", ylab = "", pch = 19,
       xlab = "would look normal, from now (0), in half intervals",
       main = "90 % interval", bty = "n")
  abline(v = 0, lty = 3)
  axis(2, at, one$feature, las = 1, tick = FALSE)
  segments(low, at, high, at)
  invisible(x)
}
