package org.buftrail.agent.weave.executors;

/** Code that is woven into a method of an executor or a task. */
enum Hook {
  /** A constructor: an executor was made. */
  MADE("made"),
  /** A thread begins to work for the executor. */
  BEGUN("begun"),
  /** The first task among the arguments is handed to an executor that takes it for sure. */
  HANDED("handed"),
  /** The same, to one that may wrap it. */
  OFFERED("offered"),
  /** The same, to one that may take it several times. */
  LASTING("lasting"),
  /** A constructor or method: this object is such a task. */
  OFFERS_ITSELF("offered"),
  LASTS_ITSELF("lasting"),
  /** This object is a task, and the method runs it. */
  TAKES_ITSELF("taken"),
  /** Tasks are run by calls in the method. */
  RUNS("run");

  /** The method of the runtime that is called. */
  final String call;

  Hook(String call) {
    this.call = call;
  }
}
