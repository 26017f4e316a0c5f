/**
 * What every room of the agent stands on: lines on standard error, bounded texts, calls with a
 * deadline.
 */
package org.buftrail.agent.base;
