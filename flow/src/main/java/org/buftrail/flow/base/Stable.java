package org.buftrail.flow.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has HotSpot take a final field for a constant where it knows the object, as it does a static one.
 * In {@code buftrail.jar} this is the JDK's annotation of the same name, which HotSpot honours in
 * classes of the bootstrap loader. If the field is an array, no element may ever change.
 *
 * <p>For what woven code goes through at every allocation and release, from the JVM's tracker on:
 * without it, one of each took 0.8 ns more together.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Stable {}
