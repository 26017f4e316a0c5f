@org.jspecify.annotations.NullMarked
package org.buftrail.museum;
