/** What the weaver asks of each library of buffers. */
package org.buftrail.agent.weave.library;
