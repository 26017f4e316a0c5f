/**
 * Fails tests that leak: extension of JUnit Jupiter, listener for TestNG, and the report of a run.
 */
@org.jspecify.annotations.NullMarked
package org.buftrail.junit;
