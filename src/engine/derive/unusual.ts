/**
 * What is nobody's try and still cannot go on for ever: verdicts that say nothing, and jobs that come to no
 * result. So many of them for one thing, and people are asked.
 */
export const MAX_VOID_REVIEWS = 3;
export const MAX_LOST_JOBS = 3;
