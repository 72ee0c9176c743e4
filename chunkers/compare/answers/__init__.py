"""Retrieved chunks and questions -> answers of a language model, rated by another: the paper's end-to-end measure."""
