/** What the tests run under the agent: one short program a case, nothing of Buftrail in it. */
package org.buftrail.it.programs;
