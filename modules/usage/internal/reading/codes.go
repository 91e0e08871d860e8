package reading

// codeBackwards is the problem code of a reading that is lower than an earlier reading of the same meter, or higher than a later one.
const codeBackwards = "usage.backwards"
