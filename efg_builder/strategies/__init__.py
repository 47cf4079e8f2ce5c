"""Strategies in several representations: conversion, reading and writing."""
