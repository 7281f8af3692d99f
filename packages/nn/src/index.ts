/** Neural networks and data sets as a problem of equitopo. */

export {};
