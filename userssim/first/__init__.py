"""The first grounded user, `grounded@1`: kept so that what was measured with it can be measured again."""
