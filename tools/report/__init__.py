"""Pages of the documentation that are written from data: accuracy and coverage."""
