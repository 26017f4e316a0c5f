/** Programs that put the agent into each state that it has, and keep a ledger of what they did. */
package org.buftrail.it.states;
