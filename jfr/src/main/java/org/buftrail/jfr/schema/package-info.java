/** The types that a chunk describes, and how their values are laid out. */
package org.buftrail.jfr.schema;
