/** Reads and rewrites class files: heads, names, constants, supertypes, lines. */
package org.buftrail.agent.weave.classfile;
