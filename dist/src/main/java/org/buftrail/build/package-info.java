/** Work of the build on class files before they go into the jar. */
package org.buftrail.build;
