"""What can be seen: pictures, tables, differences, exports, the explorer, notebooks."""
