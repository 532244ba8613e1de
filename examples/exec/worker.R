# A model of R behind gpa:   gpa score --model 'exec:Rscript worker.R model.rds' data.csv
# model.rds is what saveRDS(model, "model.rds") wrote; the names of its inputs are the
# variables of its formula. The frames are described in docs/connect/exec.md.
model <- readRDS(commandArgs(TRUE)[1])
inputs <- all.vars(delete.response(terms(model)))
ask <- file("stdin", "rb")
tell <- file("/dev/stdout", "wb")
sink(stderr()) # what the model prints
number <- function(...) writeBin(c(...), tell, size = 4, endian = "little")
text <- function(s) writeBin(charToRaw(s), tell)

names <- paste0(inputs, "\n", collapse = "")
text("GPAH"); number(1L, length(inputs), nchar(names, "bytes")); text(names); flush(tell)
while (length(readBin(ask, "raw", 4)) == 4) {
  n <- readBin(ask, "integer", 2, size = 4, endian = "little")
  x <- readBin(ask, "double", n[1] * n[2], size = 8, endian = "little")
  rows <- as.data.frame(matrix(x, n[1], n[2], byrow = TRUE, dimnames = list(NULL, inputs)))
  y <- tryCatch(as.double(predict(model, rows)), error = conditionMessage)
  text("GPAR")
  if (is.character(y)) { number(0L, nchar(y, "bytes")); text(y) }
  else { number(length(y), 0L); writeBin(y, tell, size = 8, endian = "little") }
  flush(tell)
}
