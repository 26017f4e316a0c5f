/** Runs test classes in a JVM of their own and writes down the result of every test. */
package org.buftrail.suite;
