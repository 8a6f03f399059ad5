"""The gentlest two levels: they err as people do, for they see less far."""
