"""Chunk texts -> ranked chunks for a question: words (BM25), meaning (embeddings), or both."""
