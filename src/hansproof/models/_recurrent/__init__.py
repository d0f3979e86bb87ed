"""Recurrent networks and bags of word vectors, trained with torch."""
