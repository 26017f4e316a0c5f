/** Allocators and buffers of an application, in a package that the tests do not include. */
package org.buftrail.it.allocators;
