/** The interface between the weaver and each library of buffers. */
package org.buftrail.agent.weave.library;
