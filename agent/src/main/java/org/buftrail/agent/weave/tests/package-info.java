/** Which code is a test's, and how the exceptions that reach it are seen. */
@org.jspecify.annotations.NullMarked
package org.buftrail.agent.weave.tests;
