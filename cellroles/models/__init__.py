"""The role models, one architecture per file: tensors of a tile -> node embeddings -> role logits. Needs torch."""
