/** What a chunk says of its types, and how values of a type are laid out. */
package org.buftrail.jfr.schema;
