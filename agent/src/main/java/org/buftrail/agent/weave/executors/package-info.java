/** Weaves executors, event loops and timers, so that tasks bring along their scope. */
@org.jspecify.annotations.NullMarked
package org.buftrail.agent.weave.executors;
