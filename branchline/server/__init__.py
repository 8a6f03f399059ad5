"""The service: tables, live games over sockets, the store, the HTTP interface and the page."""
