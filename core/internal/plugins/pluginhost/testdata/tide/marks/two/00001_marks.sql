-- +goose Up
CREATE TABLE tide_marks (
    label_key TEXT NOT NULL,
    id        TEXT NOT NULL,
    version   TEXT NOT NULL,
    PRIMARY KEY (label_key, id, version)
);
