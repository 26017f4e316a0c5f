/** Which classes are the application's, and which of them the user chose. */
package org.buftrail.agent.weave.selection;
