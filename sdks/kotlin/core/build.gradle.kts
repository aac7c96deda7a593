import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    kotlin("jvm")
}

java {
    sourceCompatibility = JavaVersion.VERSION_1_8
    targetCompatibility = JavaVersion.VERSION_1_8
}

kotlin {
    compilerOptions {
        jvmTarget.set(JvmTarget.JVM_1_8)
        allWarningsAsErrors.set(true)
    }
}

/** The tests are a program that prints a line of JSON for each of them, with `failure` if it failed. */
val runTests by tasks.registering(JavaExec::class) {
    classpath = sourceSets["test"].runtimeClasspath
    mainClass.set("millrace.core.MainKt")
    val texts = layout.buildDirectory.file("texts").get().asFile
    doFirst { texts.apply { parentFile.mkdirs() }.writeText("") }
    args(rootDir.resolve("../../packages/sdk/vectors"), texts)
}
