package org.buftrail.it.leaktests;

/** Inherits all tests with their budgets, and that of the class. */
public class InheritedBudgetTests extends BudgetTests {}
