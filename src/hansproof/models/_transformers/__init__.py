"""Fine-tuning, frozen features, likelihoods and attributions of transformers."""
