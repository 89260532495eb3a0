"""The pages and the API: the table live, the referee's review, the league's audit."""
