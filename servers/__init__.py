"""The workplace apps. Each folder but `kernel` is one app; none knows another."""
