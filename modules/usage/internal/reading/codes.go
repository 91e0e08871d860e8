package reading

// codeBackwards is the problem code of a reading that is lower than an earlier or higher than a later one of the same meter.
const codeBackwards = "usage.backwards"
